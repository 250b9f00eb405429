// Instants in the reader's own zone; a button shows UTC, as pages without script do.
const { lang } = document.documentElement;
const date = { day: 'numeric', month: 'short', year: 'numeric' };
const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' };
const clocks = new Intl.DateTimeFormat(lang, clock);
const instants = new Intl.DateTimeFormat(lang, { ...date, ...clock });
const foot = document.querySelector('[data-in-utc]');
const isElsewhere = new Date().getTimezoneOffset() !== 0;
const texts = new Map();

for (const time of document.querySelectorAll('time[datetime$="Z"]')) {
  const utc = time.textContent;
  if (!utc.endsWith(' UTC')) continue;
  const at = new Date(time.dateTime);
  // Beside a heading with its day, a clock of another day would be wrong.
  const isClock = /^\d\d:\d\d UTC$/.test(utc) && at.getDate() === at.getUTCDate();
  texts.set(time, { utc, own: (isClock ? clocks : instants).format(at) });
}

function show(name) {
  for (const [time, { utc, own }] of texts) {
    time.textContent = name === 'utc' ? utc : own;
    time.title = name === 'utc' ? own : utc;
  }
}

if (isElsewhere && foot !== null && texts.size > 0) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.setAttribute('aria-pressed', 'false');
  button.textContent = foot.dataset.inUtc;
  button.addEventListener('click', () => {
    const isUtc = button.getAttribute('aria-pressed') === 'false';
    button.setAttribute('aria-pressed', String(isUtc));
    show(isUtc ? 'utc' : 'own');
  });
  foot.append(' ', button);
  show('own');
}
