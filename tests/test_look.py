"""Minified styles and scripts: comments and spaces go, strings and patterns stay."""

from rulewright.app.mkdocs_plugin.bundle import minify_css, minify_js, strip_comments


def test_what_is_sent_has_no_comments_and_all_else() -> None:
    style = "/* All\n   of it. */\n.a { color: red }\n  /* this */ .b { content: '/* not */' }\n"
    script = "/** Twice. */\nfunction twice(a) {\n  // because\n  return a / 2 // not\n    / 2;\n}\n"
    assert strip_comments([style]) == ".a { color: red }\n.b { content: '/* not */' }\n"
    assert strip_comments([script]) == "function twice(a) {\nreturn a / 2 // not\n/ 2;\n}\n"
    assert strip_comments([script, style]) == strip_comments([script]) + strip_comments([style])


def test_a_style_is_squeezed_only_where_spaces_say_nothing() -> None:
    style = 'a , b :hover { content: "{ ; , : }"; margin: 0 calc(1em + 2px) }\n'
    style += ".c { background: url(a; b.png) }"
    assert minify_css(style) == (
        """a,b :hover{content:"{ ; , : }";margin:0 calc(1em + 2px)}.c{background:url(a; b.png)}"""
    )


def test_a_script_is_tightened_only_where_spaces_say_nothing() -> None:
    script = 'const a = b ? `${c ? `${d} = e` : " ; "}, f : g` : "h = \\" { i";\n'
    script += "if (j && /x = [/ ] k/.test(l)) {\n  m = n + +o - -p / q;\n}\nr();\n"
    assert minify_js(script) == (
        'const a=b?`${c ? `${d} = e` : " ; "}, f : g`:"h = \\" { i";'
        "if(j&&/x = [/ ] k/.test(l)){m=n + +o - -p / q;}\nr();"
    )
