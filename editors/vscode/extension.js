// Starts `rulewright lsp` for the rule files and pages of a project, and offers its commands as tasks.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { spawnSync } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const TASKS = {
  check: { words: ["check"], title: "Check all books", matcher: "$rulewright" },
  build: { words: ["build"], title: "Build the site", matcher: "$rulewright" },
  preview: { words: ["serve"], title: "Preview the site", background: true },
};
// The numbers of a rule are one word: 12.5c(B), D6.1, 16.G.
const WORD = /[A-Z]{0,2}\d+(?:\.[\dA-Za-z]+)*(?:\([A-Za-z0-9]+\))*|[^\s`~!@#%^&*()=+[{\]}\\|;:'",.<>/?]+/;

let client;
let output;

async function activate(context) {
  output = vscode.window.createOutputChannel("Rulewright");
  const commands = {
    "rulewright.check": () => run("check"),
    "rulewright.build": () => run("build"),
    "rulewright.preview": () => run("preview"),
    "rulewright.restart": restart,
    "rulewright.output": () => output.show(),
  };
  for (const [name, work] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, work));
  }
  context.subscriptions.push(
    output,
    vscode.tasks.registerTaskProvider("rulewright", { provideTasks: tasks, resolveTask }),
    vscode.languages.setLanguageConfiguration("yaml", { wordPattern: WORD }),
    vscode.languages.setLanguageConfiguration("markdown", { wordPattern: WORD }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("rulewright.command")) restart();
    }),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
  client = undefined;
}

// The folder with mkdocs.yml and content/: a folder of the workspace, or one directly inside it.
function project() {
  const holds = (folder) =>
    fs.existsSync(path.join(folder, "mkdocs.yml")) && fs.existsSync(path.join(folder, "content"));
  for (const one of vscode.workspace.workspaceFolders ?? []) {
    if (one.uri.scheme !== "file") continue;
    const folder = one.uri.fsPath;
    const inside = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const found = [folder, ...inside.map((entry) => path.join(folder, entry.name))].find(holds);
    if (found) return { scope: one, folder: found };
  }
  return undefined;
}

// The program with its first arguments: from the settings, the project's own environment, or the PATH.
function program() {
  const configured = vscode.workspace.getConfiguration("rulewright").get("command");
  if (configured?.length) return configured;
  const folder = project()?.folder;
  const inside = process.platform === "win32" ? ["Scripts", "rulewright.exe"] : ["bin", "rulewright"];
  const own = folder && path.join(folder, ".venv", ...inside);
  const choices = [["rulewright"], ["python", "-m", "rulewright"], ["python3", "-m", "rulewright"]];
  if (own && fs.existsSync(own)) choices.unshift([own]);
  return choices.find(([first, ...rest]) => {
    const tried = spawnSync(first, [...rest, "--version"], { cwd: folder, timeout: 20_000 });
    return tried.status === 0;
  });
}

async function start() {
  const found = program();
  if (!found) {
    const settings = "Open Settings";
    const chosen = await vscode.window.showErrorMessage(
      "Rulewright is not installed where this editor looks: `pip install 'rulewright[editor]'`, or set its command in the settings.",
      settings,
    );
    if (chosen) vscode.commands.executeCommand("workbench.action.openSettings", "rulewright.command");
    return;
  }
  const [command, ...words] = found;
  output.appendLine(`${[...found, "lsp"].join(" ")}`);
  const options = { cwd: project()?.folder };
  const server = { command, args: [...words, "lsp"], transport: TransportKind.stdio, options };
  client = new LanguageClient("rulewright", "Rulewright", server, {
    documentSelector: [
      { scheme: "file", language: "yaml", pattern: "**/content/**/*.yml" },
      { scheme: "file", language: "markdown", pattern: "**/content/**/*.md" },
    ],
    outputChannel: output,
  });
  try {
    await client.start();
  } catch (error) {
    output.appendLine(String(error));
    vscode.window.showErrorMessage("Rulewright's language server did not start; its output has the reason.");
  }
}

async function restart() {
  await deactivate();
  await start();
}

function tasks() {
  return Object.keys(TASKS).map((task) => createTask({ type: "rulewright", task })).filter(Boolean);
}

function resolveTask(task) {
  return createTask(task.definition);
}

function createTask(definition) {
  const about = TASKS[definition.task];
  const where = project();
  const found = about && where && program();
  if (!found) return undefined;
  const [command, ...words] = [...found, ...about.words, ...(definition.arguments ?? [])];
  const work = new vscode.ProcessExecution(command, words, { cwd: where.folder });
  const matchers = about.matcher ? [about.matcher] : [];
  const task = new vscode.Task(definition, where.scope, about.title, "rulewright", work, matchers);
  task.isBackground = Boolean(about.background);
  task.group = about.background ? undefined : vscode.TaskGroup.Build;
  return task;
}

async function run(name) {
  const task = createTask({ type: "rulewright", task: name });
  if (task) await vscode.tasks.executeTask(task);
  else vscode.window.showErrorMessage("No project here: a folder with mkdocs.yml and content/.");
}

module.exports = { activate, deactivate };
