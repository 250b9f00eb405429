import { inLanguages, said } from '../../web/messages/said.ts';

export const AUDIT_TEXTS = inLanguages({
  done: said('done', 'fatto'),
  failed: said('failed', 'non riuscito'),
  nothing: said('none', 'nessuno'),
});
