/** Fails when npm scripts do not run on the Node that the project brings. In a form that the oldest Node reads. */
'use strict';

var NODE_MAJOR_MIN = 24;

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  console.error(
    'npm scripts run on Node ' +
      process.versions.node +
      ', and need Node ' +
      NODE_MAJOR_MIN +
      ': run "npm ci --include=optional", which brings it',
  );
  process.exit(1);
}
