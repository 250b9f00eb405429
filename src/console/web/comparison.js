/** Shows a comparison once it is made, unless somebody is filling in a form. Without script the page loads itself again. */
const ASKED_MS = 1_500;
let isTyped = false;
document.addEventListener('input', () => (isTyped = true));

async function ask() {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'application/json' } });
    if (!answer.ok) return;
    const { comparison } = await answer.json();
    if (!comparison.isBeingMade && !isTyped) return location.reload();
  } catch {
    // The service is being restarted: asked again.
  }
  setTimeout(ask, ASKED_MS);
}

setTimeout(ask, ASKED_MS);
