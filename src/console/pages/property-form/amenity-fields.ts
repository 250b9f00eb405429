/** Amenities in the form: a box for each usual one, and lines for others. */
import { type Html, html } from '../../../http/html/html.ts';
import { type Drawing, hintOf, labelAt, reasonOf } from './inputs.ts';
import { AMENITY_CODES, amenityField, BOXES_FIELD, listed } from './lists.ts';
import { PROPERTY_FORM_TEXTS } from './messages.ts';

export function amenityFields(drawing: Drawing): Html {
  const { view, form, isReadOnly, wrong } = drawing;
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const lines = (form.fields.get('amenities') ?? '').split('\n').map((line) => line.trim());
  const offered = new Set(AMENITY_CODES);
  const boxes = listed('amenities', view.locale).map(
    ({ code, name }) =>
      html`<label class="flag"
        ><input
          type="checkbox"
          name="${amenityField(code)}"
          value="1"
          ${lines.includes(code) && html`checked`}
          ${isReadOnly && html`disabled`}
        />
        ${name}</label
      > `,
  );
  const others = lines.filter((line) => !offered.has(line)).join('\n');
  const isWrong = wrong.has('amenities');
  return html`<fieldset>
    <legend>${labelAt(drawing, 'amenities')}</legend>
    <input type="hidden" name="${BOXES_FIELD}" value="1" />
    <div class="boxes">${boxes}</div>
    <div class="field">
      <label for="amenities">${texts.otherAmenities}</label>
      <textarea
        id="amenities"
        name="amenities"
        rows="2"
        dir="auto"
        aria-describedby="amenities-hint"
        ${isWrong && html`aria-invalid="true"`}
        ${isReadOnly && html`readonly`}
      >
${`\n${others}`}</textarea>
      ${reasonOf(drawing, 'amenities')} ${hintOf(drawing, 'amenities', 'amenities-hint')}
    </div>
  </fieldset> `;
}
