"""The commands of `rulewright`, a file each; `rulewright.app.command_registry` says how to add one."""
