// An editor, as far as the extension for VS Code asks for one: prints what the extension registers.
const Module = require("node:module");
const seen = {commands: [], tasks: [], started: []};
const nothing = new Proxy(function () {}, {get: (_, name) => name === "then" ? undefined : nothing,
  apply: () => nothing, construct: () => nothing});
const over = (target) => new Proxy(target, {get: (t, name) => name in t ? t[name] : nothing});
const folder = process.argv[2];
const vscode = over({
  commands: over({registerCommand: (name) => { seen.commands.push(name); return nothing; }}),
  tasks: over({registerTaskProvider: (type, provider) => { seen.provider = provider; return nothing; }}),
  workspace: over({workspaceFolders: [{uri: {scheme: "file", fsPath: folder}}],
    getConfiguration: () => ({get: (name) => name === "command" ? [process.execPath, "-p", "1"] : false})}),
  extensions: {getExtension: () => undefined},
  ProcessExecution: class { constructor(...words) { this.words = words; } },
  Task: class {
    constructor(definition, scope, title, source, work) { Object.assign(this, {definition, work}); }
  },
  TaskGroup: {Build: 1},
});
class LanguageClient {
  constructor(id, name, server, options) { seen.started.push({server, selector: options.documentSelector}); }
  async start() {}
  async stop() {}
}
const load = Module._load;
Module._load = (name, ...more) => name === "vscode" ? vscode
  : name.startsWith("vscode-languageclient") ? {LanguageClient, TransportKind: {stdio: 0}}
  : load(name, ...more);
const extension = require(process.argv[1]);
extension.activate({subscriptions: []}).then(() => {
  const tasks = seen.provider.provideTasks();
  seen.tasks = tasks.map((task) => [task.definition.task, task.work.words[1].at(-1)]);
  console.log(JSON.stringify(seen));
});
