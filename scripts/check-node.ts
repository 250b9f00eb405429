/** Fails when the scripts do not run on the Node that the project brings: packages chosen for an older one may differ. */
const NODE_MAJOR_MIN = 24;

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  throw new Error(
    `npm scripts run on Node ${process.versions.node}; run "npm ci" to bring Node ${NODE_MAJOR_MIN}`,
  );
}
