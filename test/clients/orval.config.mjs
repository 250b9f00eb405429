const input = process.env.OPENAPI_FILE;

export default {
  client: {
    input,
    output: { target: 'generated/orval/client.ts', client: 'fetch', baseUrl: process.env.BASE_URL },
  },
  schemas: { input, output: { target: 'generated/orval/schemas.ts', client: 'zod' } },
};
