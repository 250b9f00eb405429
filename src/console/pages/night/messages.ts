import { inLanguages, said } from '../../web/messages/said.ts';

export const NIGHT_TEXTS = inLanguages({
  setBy: said('Who set what', 'Chi ha impostato cosa'),
  ifGone: said('Without this source', 'Senza questa fonte'),
  why: said(
    'The strictest source decides. Where none has set units, there are none; “manual” is a person, whom Audit names.',
    'Decide la fonte più restrittiva. Se nessuna imposta unità, non ce ne sono; «manual» è una persona: nel Registro.',
  ),
  before: said('The night before', 'La notte prima'),
  after: said('The night after', 'La notte dopo'),
});
