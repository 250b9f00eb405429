// Passkeys: signs in, signs in again in place, registers. Without it, pages work with links alone.
const FRESH_MS = 5 * 60_000;
const isAddress = /^\[|^[\d.]+$/.test(location.hostname);
const isUsable =
  window.isSecureContext && 'credentials' in navigator && 'PublicKeyCredential' in window && !isAddress;

for (const part of document.querySelectorAll('[data-passkey]')) part.hidden = !isUsable;
if (isAddress)
  for (const hint of document.querySelectorAll('[data-passkey-address]')) {
    const link = hint.querySelector('a');
    if (location.protocol === 'http:') {
      link.href = `http://localhost:${location.port}/console/sign-in`;
      link.replaceChildren('http://', document.createElement('wbr'), `localhost:${location.port}`);
    }
    hint.hidden = false;
  }

const gate = document.querySelector('[data-fresh-ms]');
let freshUntil = 0;
let timer;
if (gate) keepFresh(Number(gate.dataset.freshMs));

/** The server decides; this only asks before a form is filled in, not after. */
function keepFresh(ms) {
  freshUntil = Date.now() + ms;
  gate.hidden = ms > 0;
  clearTimeout(timer);
  if (ms > 0) timer = setTimeout(() => (gate.hidden = false), ms);
}

document.addEventListener('submit', (event) => {
  if (!isUsable) return;
  const form = event.target;
  if (gate && 'fresh' in form.dataset && Date.now() >= freshUntil) {
    event.preventDefault();
    void renewThenSend(form, event.submitter);
  } else if (form.closest('[data-passkey]')) {
    event.preventDefault();
    void run(form);
  }
});

/** What was typed stays where it is. Where no passkey can help, the server says what can. */
async function renewThenSend(form, submitter) {
  gate.hidden = false;
  const outcome = await run(gate.querySelector('form'));
  if (outcome === 'done') form.requestSubmit(submitter);
  else if (outcome === 'refused' && !form.closest('[data-passkey]')) form.submit();
}

/** The ceremony of this form: `done`, `refused` before anybody was asked, or `failed`. */
async function run(form) {
  const part = form.closest('[data-passkey]');
  const status = part.querySelector('[role=status]');
  const fields = () => new URLSearchParams(new FormData(form));
  const say = (text) => (status.textContent = text);
  say(part.dataset.working);
  try {
    const asked = await post(`${form.action}-options`, fields());
    if (!asked.ok) {
      say(part.dataset.failed);
      return 'refused';
    }
    const options = await asked.json();
    if (!options.isFresh) {
      const body = fields();
      body.set('credential', JSON.stringify(await answer(part.dataset.passkey, options)));
      const answered = await post(form.action, body);
      if (!answered.ok) throw new Error(String(answered.status));
    }
  } catch {
    say(part.dataset.failed);
    return 'failed';
  }
  say(part.dataset.done ?? '');
  if (part.dataset.next) location.assign(part.dataset.next);
  else if (gate) keepFresh(FRESH_MS);
  return 'done';
}

function post(url, body) {
  return fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body });
}

async function answer(kind, options) {
  const publicKey = kind === 'create' ? creationOptions(options) : requestOptions(options);
  const credential = await navigator.credentials[kind]({ publicKey });
  return credential.toJSON ? credential.toJSON() : toJson(credential);
}

function creationOptions(options) {
  if (PublicKeyCredential.parseCreationOptionsFromJSON)
    return PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { challenge, user, excludeCredentials } = options;
  return {
    ...options,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(reference),
  };
}

function requestOptions(options) {
  if (PublicKeyCredential.parseRequestOptionsFromJSON)
    return PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const { challenge, allowCredentials } = options;
  return { ...options, challenge: bytesOf(challenge), allowCredentials: allowCredentials.map(reference) };
}

function reference({ type, id }) {
  return { type, id: bytesOf(id) };
}

function toJson({ id, type, response }) {
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  const given = names.filter((name) => response[name]).map((name) => [name, textOf(response[name])]);
  return { id, rawId: id, type, clientExtensionResults: {}, response: Object.fromEntries(given) };
}

function bytesOf(text) {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function textOf(buffer) {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
