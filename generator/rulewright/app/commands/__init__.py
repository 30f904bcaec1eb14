"""The commands of `rulewright`, a file each; `rulewright.app.registry` says how to add one."""
