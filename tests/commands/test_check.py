def test_a_project_without_content_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: Duel\n")
    assert main(["--project", str(tmp_path), "check"]) == 1
    assert "content:1:1: error: cannot be opened" in capsys.readouterr().out
