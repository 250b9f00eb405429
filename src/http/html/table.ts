/** A table that scrolls by itself on a narrow screen. */
import { type Content, type Html, html } from './html.ts';

export function table(heads: readonly string[], rows: readonly (readonly Content[])[]): Html {
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}
