/** The Node.js for the service and for tools: this one, unless `runtimes.ts` runs the tests on an older one. */
export const SERVICE_NODE = process.env['STAYPORT_SERVICE_NODE'] ?? process.execPath;
