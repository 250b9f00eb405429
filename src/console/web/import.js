/** Tells how far an import is, and shows the page again when it is done. Without script the page loads itself again. */
const ASKED_MS = 1_000;
const place = document.querySelector('[data-phase]');
const bar = document.querySelector('progress');
const read = document.querySelector('[data-read]');
const numbers = new Intl.NumberFormat(document.documentElement.lang);

async function ask() {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'application/json' } });
    if (!answer.ok) return location.reload();
    const { phase, progress } = await answer.json();
    if (phase !== place.dataset.phase) return location.reload();
    bar.value = progress?.bytesRead ?? 0;
    read.textContent = numbers.format(progress?.read ?? 0);
  } catch {
    // The service is being restarted: asked again.
  }
  setTimeout(ask, ASKED_MS);
}

setTimeout(ask, ASKED_MS);
