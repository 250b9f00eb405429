export default {
  input: process.env.OPENAPI_FILE,
  output: { path: 'generated/hey-api', module: { extension: '.ts' } },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
};
