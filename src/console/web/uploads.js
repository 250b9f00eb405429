/** Sends pictures one by one beside a form, and puts their cards in order. Pages of pictures share it. */

/** Waited where the answer does not say how long. */
const AGAIN_MS = 1_000;
/** Times that one picture is sent while others are being read. */
const TRIES_MAX = 300;

export const filled = (text, values) => text.replaceAll(/\{(\w+)\}/g, (_all, name) => String(values[name]));

const HEIC = /\.hei[cf]s?$/i;
/** Files that systems put beside pictures: nobody chose them. */
const JUNK = /(?:^|\/)(?:(?:\.[^/]*|Thumbs\.db|desktop\.ini)$|__MACOSX\/)/i;

/** Whether a person means the file of this path. */
export const isMeant = (path) => !JUNK.test(path);
/** Also pictures that are refused with what to do about them. */
export const isPicture = (name) => PICTURE.test(name) || HEIC.test(name);
const PICTURE = /\.(?:jpe?g|png|webp|avif)$/i;

/** The files of `[data-overall]` and `[data-announced]` of the page. */
export class Uploads {
  #settings;
  #overall = document.querySelector('[data-overall]');
  #announced = document.querySelector('[data-announced]');
  #waiting = [];
  #sending = 0;
  #counts = { all: 0, done: 0, refused: 0 };
  #isPaused = false;
  #whenIdle = [];

  constructor(settings) {
    this.#settings = settings;
    const resume = this.#overall.querySelector('[data-resume]');
    resume.addEventListener('click', () => void this.#resume());
    addEventListener('focus', () => this.#isPaused && void this.#resume());
    addEventListener('online', () => this.#isPaused && void this.#resume());
  }

  get isBusy() {
    return this.#waiting.length + this.#sending > 0;
  }

  /** Pictures that were not taken since the page was opened. */
  get refusedCount() {
    return this.#counts.refused;
  }

  /** Resolves when nothing is on its way. */
  async idle() {
    if (this.isBusy) await new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  announce(text) {
    this.#announced.textContent = text;
  }

  /** The card says how far the file is, and why it was not taken; `onStored` gets the answer for one that was. */
  add(file, card, onStored) {
    card.querySelector('[data-name]').textContent = file.name;
    card.querySelector('progress').setAttribute('aria-label', file.name);
    const job = { file, card, onStored, tries: 0 };
    this.#counts.all += 1;
    card.querySelector('[data-again]').addEventListener('click', () => {
      this.#counts.refused -= 1;
      this.#put(job);
      card.focus();
    });
    card.querySelector('[data-leave]').addEventListener('click', () => this.#leave(job));
    const { bytesMax, texts } = this.#settings;
    if (HEIC.test(file.name)) this.refuse(job, texts.heic, false);
    else if (file.size > bytesMax) this.refuse(job, texts.tooLarge, false);
    else this.#put(job);
  }

  #put(job) {
    job.card.classList.remove('refused');
    this.#tell(job, '');
    job.card.querySelector('[data-again]').hidden = true;
    this.#waiting.push(job);
    this.#pump();
  }

  #leave(job) {
    const at = this.#waiting.indexOf(job);
    if (at !== -1) this.#waiting.splice(at, 1);
    if (job.isRefused) this.#counts.refused -= 1;
    this.#counts.all -= 1;
    job.isLeft = true;
    job.request?.abort();
    const near = job.card.nextElementSibling ?? job.card.previousElementSibling;
    job.card.remove();
    near?.querySelector('button:not([hidden])')?.focus();
    this.#pump();
  }

  #pump() {
    while (!this.#isPaused && this.#sending < this.#settings.atOnce && this.#waiting.length > 0) {
      this.#sending += 1;
      void this.#send(this.#waiting.shift());
    }
    const { all, done, refused } = this.#counts;
    const { texts } = this.#settings;
    this.#overall.hidden = all === 0;
    const bar = this.#overall.querySelector('progress');
    bar.max = Math.max(1, all);
    bar.value = done + refused;
    const said =
      filled(texts.overall, { done, all }) + (refused > 0 ? filled(texts.refused, { count: refused }) : '');
    if (!this.#isPaused) this.#overall.querySelector('[data-said]').textContent = said;
    if (this.isBusy || all === 0) return;
    this.announce(said);
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  async #send(job) {
    const { texts } = this.#settings;
    job.isRefused = false;
    job.tries += 1;
    const answer = await this.#request(job);
    const { status, detail, retryMs, picture } = answer;
    if (job.isLeft) this.#sending -= 1;
    else if (status === 200) {
      this.#counts.done += 1;
      this.#sending -= 1;
      const refusal = job.onStored(picture, job);
      if (refusal !== undefined) {
        this.#counts.done -= 1;
        this.refuse(job, refusal, false);
      }
    } else if ((status === 503 || status === 429) && job.tries < TRIES_MAX) {
      this.#tell(job, texts.waits);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      this.#sending -= 1;
      if (!job.isLeft) this.#waiting.unshift(job);
    } else if (status === 403 && job.tries < TRIES_MAX && (await this.renewToken())) {
      // Signed in again meanwhile.
      this.#sending -= 1;
      this.#waiting.unshift(job);
    } else if (status === 401 || status === 0) {
      this.#sending -= 1;
      this.#waiting.unshift(job);
      this.#pause(status === 401 ? texts.signedOut : texts.offline);
    } else {
      this.#sending -= 1;
      this.refuse(job, detail ?? texts.failed, status !== 422);
    }
    this.#pump();
  }

  #request(job) {
    const { file, card } = job;
    const { texts, upload } = this.#settings;
    const bar = card.querySelector('progress');
    const body = new FormData();
    body.append('form', document.querySelector('input[name="form"]').value);
    body.append('file', file, file.name);
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      job.request = request;
      request.open('POST', upload);
      request.setRequestHeader('accept', 'application/json');
      request.upload.addEventListener('progress', ({ loaded, total }) => (bar.value = loaded / total));
      request.upload.addEventListener('load', () => {
        bar.removeAttribute('value');
        this.#tell(job, texts.made);
      });
      request.addEventListener('loadend', () => {
        bar.value = 0;
        const seconds = Number(request.getResponseHeader('retry-after'));
        let said;
        try {
          said = JSON.parse(request.responseText);
        } catch {
          // Nothing, or a page of a proxy.
        }
        const retryMs = seconds > 0 ? seconds * 1_000 : AGAIN_MS;
        resolve({ status: request.status, detail: said?.detail, retryMs, picture: said });
      });
      request.send(body);
    });
  }

  refuse(job, reason, mayTryAgain) {
    this.#counts.refused += 1;
    job.isRefused = true;
    job.card.classList.add('refused');
    this.#tell(job, reason);
    job.card.querySelector('[data-again]').hidden = !mayTryAgain;
    this.#pump();
  }

  #tell({ card }, text) {
    const place = card.querySelector('[data-reason]');
    place.textContent = text;
    place.hidden = text === '';
  }

  #pause(text) {
    this.#isPaused = true;
    this.#overall.querySelector('[data-said]').textContent = text;
    this.#overall.querySelector('[data-resume]').hidden = false;
    this.announce(text);
  }

  async #resume() {
    this.#isPaused = false;
    this.#overall.querySelector('[data-resume]').hidden = true;
    await this.renewToken();
    this.#pump();
  }

  /** Who has signed in again has another token: the forms of this page take it over. True: it is another one. */
  async renewToken() {
    try {
      const text = await (await fetch(location.pathname.replace(/\/property-save$/, ''))).text();
      const page = new DOMParser().parseFromString(text, 'text/html');
      const token = page.querySelector('input[name="form"]')?.value;
      const own = document.querySelectorAll('input[name="form"]');
      if (token === undefined || token === own[0].value) return false;
      for (const input of own) input.value = token;
      return true;
    } catch {
      return false;
    }
  }
}

/** Files are taken anywhere on the page, and never opened in its place. `take` gets those that were dropped in `area`. */
export function takeDropped(area, take) {
  const isFiles = (event) => event.dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', (event) => isFiles(event) && event.preventDefault());
  document.addEventListener('drop', (event) => isFiles(event) && event.preventDefault());
  for (const [type, isOver] of [
    ['dragenter', true],
    ['dragover', true],
    ['dragleave', false],
    ['drop', false],
  ])
    area.addEventListener(type, (event) => isFiles(event) && area.classList.toggle('over', isOver));
  area.addEventListener('drop', (event) => isFiles(event) && take(event.dataTransfer));
}

const STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/** Cards of a list change places: dragged by their grip or picture, or by the keys of the grip. */
export function makeSortable(list, onMoved) {
  const cards = () => [...list.querySelectorAll(':scope > [data-card]')];
  const move = (card, to) => {
    const all = cards();
    const from = all.indexOf(card);
    const target = all[Math.max(0, Math.min(all.length - 1, to))];
    if (target === undefined || target === card) return;
    if (all.indexOf(target) > from) target.after(card);
    else target.before(card);
    onMoved(card, cards().indexOf(card), all.length);
  };
  list.addEventListener('keydown', (event) => {
    const grip = event.target.closest('[data-grip]');
    if (grip === null) return;
    const card = grip.closest('[data-card]');
    const at = cards().indexOf(card);
    const to = event.key in STEPS ? at + STEPS[event.key] : { Home: 0, End: cards().length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(card, to);
    grip.focus();
    card.scrollIntoView({ block: 'nearest' });
  });
  list.addEventListener('pointerdown', (event) => {
    const handle = event.target.closest('[data-grip], [data-thumb]');
    if (handle === null || event.button !== 0) return;
    const card = handle.closest('[data-card]');
    event.preventDefault();
    handle.closest('[data-card]').querySelector('[data-grip]')?.focus();
    drag(card, handle, event.pointerId);
  });

  function drag(card, handle, pointerId) {
    let target;
    const mark = (next) => {
      target?.classList.remove('target');
      target = next;
      target?.classList.add('target');
    };
    const onMove = (event) => {
      if (event.pointerId !== pointerId) return;
      card.classList.add('dragged');
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-card]');
      mark(under !== card && cards().includes(under) ? under : undefined);
      if (event.clientY < EDGE) scrollBy(0, -EDGE / 4);
      else if (event.clientY > innerHeight - EDGE) scrollBy(0, EDGE / 4);
    };
    const end = (event) => {
      if (event.pointerId !== pointerId) return;
      const to = event.type === 'pointerup' && target !== undefined ? cards().indexOf(target) : undefined;
      mark(undefined);
      card.classList.remove('dragged');
      for (const type of ['pointerup', 'pointercancel']) document.removeEventListener(type, end);
      document.removeEventListener('pointermove', onMove);
      if (to !== undefined) move(card, to);
    };
    document.addEventListener('pointermove', onMove);
    for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, end);
  }
}

/** Pixels from an edge of the window within which a drag scrolls. */
const EDGE = 60;

/** Files of a drop, with those in folders: how deep and how many is up to the person. */
export async function filesIn(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, path: file.name }));
  const found = [];
  const look = async (entry, path) => {
    if (found.length >= DROPPED_MAX) return;
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      found.push({ file, path: `${path}${file.name}` });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const one of some) await look(one, `${path}${entry.name}/`);
    }
  };
  for (const entry of entries) await look(entry, '');
  return found;
}

const DROPPED_MAX = 5_000;

/** A copy of the card in the template of this id. */
export function cardOf(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

export function thumbOf(card, settings, src) {
  const thumb = card.querySelector('[data-thumb]');
  thumb.src = `${settings.picture}?${new URLSearchParams({ src, size: 'small' })}`;
}
