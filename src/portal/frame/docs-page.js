/**
 * What a page of documentation does where scripts run: copies samples, keeps choices, searches. Without it every page
 * is whole. It writes text as text only, never as HTML, and asks nobody but the server that the page is from.
 */
(() => {
  const COPIED_MS = 2_000;
  const QUERY_LENGTH_MAX = 100;
  const TERMS_MAX = 8;
  const RESULTS_MAX = 10;
  const EXCERPT_LENGTH = 140;
  /** How far before the first term an excerpt begins. */
  const EXCERPT_LEAD = 40;

  function element(name, properties, ...children) {
    const made = document.createElement(name);
    Object.assign(made, properties);
    made.append(...children);
    return made;
  }

  /** Says something to people who listen to the page. */
  const status = element('p', { className: 'said', role: 'status' });
  function say(text) {
    status.textContent = text;
  }

  function startCopying() {
    for (const sample of document.querySelectorAll('#content .sample, #content .tabs')) {
      const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
      button.addEventListener('click', async () => {
        const shown = [...sample.querySelectorAll('pre')].find(({ offsetParent }) => offsetParent !== null);
        const isCopied = await copy(shown);
        button.textContent = isCopied ? 'Copied' : 'Selected';
        say(isCopied ? 'Copied' : 'The sample is selected: copy it with your keyboard');
        setTimeout(() => {
          button.textContent = 'Copy';
          // The next copy is said again.
          say('');
        }, COPIED_MS);
      });
      sample.append(button);
    }
  }

  /** Browsers have a clipboard over HTTPS and on this machine only; elsewhere the sample is selected first. */
  async function copy(pre) {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(pre);
      return document.execCommand('copy');
    }
  }

  function startChoices() {
    const keyOf = (name) => `stayport-docs-${name}`;
    const inputsOf = (name) => [...document.querySelectorAll(`input[data-choice="${CSS.escape(name)}"]`)];
    const choose = (name, value) => {
      for (const input of inputsOf(name)) input.checked = input.value === value;
    };
    const names = new Set(
      [...document.querySelectorAll('[data-choice]')].map(({ dataset }) => dataset.choice),
    );
    for (const name of names) {
      const kept = read(keyOf(name));
      if (inputsOf(name).some(({ value }) => value === kept)) choose(name, kept);
    }
    document.addEventListener('change', ({ target }) => {
      const name = target.dataset.choice;
      if (name === undefined) return;
      const top = target.getBoundingClientRect().top;
      choose(name, target.value);
      write(keyOf(name), target.value);
      // Samples above have other lengths now: what was chosen stays where it was.
      scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
    });
  }

  /** A browser that keeps nothing for this page throws. */
  function read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  function write(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // The choice holds for this page.
    }
  }

  /** Sections of all pages, once they were asked for: `[page, path, id, heading, text]`. */
  let sections;

  async function loadSections(url) {
    sections ??= fetch(url).then(async (response) => {
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await response.json();
    });
    return await sections;
  }

  /**
   * Every term has to be there, one of them in the section itself: the title of its page is not enough. A heading
   * counts most, then how early a text names it, then the title of the page.
   */
  function find(all, query) {
    const terms = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, TERMS_MAX);
    if (terms.length === 0) return [];
    const found = [];
    for (const section of all) {
      const [page, , , heading, text] = section.map((part) => part.toLowerCase());
      let [ownScore, pageScore] = [0, 0];
      const isFound = terms.every((term) => {
        const at = text.indexOf(term);
        const isInPage = page.includes(term);
        const points = (heading.includes(term) ? 40 : 0) + (at === -1 ? 0 : 10 / (1 + at / 100));
        ownScore += points;
        pageScore += isInPage ? 5 : 0;
        return points > 0 || isInPage;
      });
      if (isFound && ownScore > 0) found.push({ section, score: ownScore + pageScore });
    }
    return found.sort((a, b) => b.score - a.score).map(({ section }) => section);
  }

  /** A part of the text around its first term, with the terms marked. */
  function excerpt(text, query) {
    const terms = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, TERMS_MAX);
    const lower = text.toLowerCase();
    const first = Math.max(
      0,
      Math.min(...terms.map((term) => lower.indexOf(term)).filter((at) => at !== -1)),
    );
    const wanted = Number.isFinite(first) ? first - EXCERPT_LEAD : 0;
    const start = wanted <= 0 ? 0 : text.indexOf(' ', wanted) + 1;
    const end = start + EXCERPT_LENGTH;
    const isWhole = end >= text.length;
    const shown = text.slice(start, isWhole ? undefined : text.lastIndexOf(' ', end));
    const pattern = terms.map((term) => term.replaceAll(/[^\w\s]/g, String.raw`\$&`)).join('|');
    const parts = shown.split(new RegExp(`(${pattern})`, 'i'));
    const marked = parts.flatMap((part, index) =>
      index % 2 === 1 ? element('mark', {}, ...breakable(part)) : breakable(part),
    );
    return [start > 0 ? '… ' : '', ...marked, isWhole ? '' : ' …'];
  }

  /** With the places at which a narrow screen may end a line within a long name. */
  function breakable(text) {
    const parts = text.split(/(?<=[_/.:=?&@,-])|(?<=[a-z])(?=[A-Z])/);
    return parts.flatMap((part, index) => (index === 0 ? part : [element('wbr', {}), part]));
  }

  function startSearch(box) {
    const { root, index } = box.dataset;
    const link = box.querySelector('a');
    const field = element('input', {
      type: 'search',
      placeholder: 'Search',
      autocomplete: 'off',
      maxLength: QUERY_LENGTH_MAX,
    });
    field.setAttribute('aria-label', 'Search the documentation');
    const list = element('ol', {});
    const summary = element('p', {});
    const panel = element('div', { className: 'found', hidden: true }, summary, list, link);
    box.setAttribute('role', 'search');
    box.append(field, panel);

    const close = () => {
      panel.hidden = true;
    };
    const present = (text, results, query) => {
      summary.textContent = text;
      list.replaceChildren(...results.map((section) => resultOf(root, section, query)));
      panel.hidden = false;
      say(text);
    };
    const search = async () => {
      const query = field.value.trim();
      if (query === '') return close();
      try {
        const found = find(await loadSections(root + index), query);
        if (query !== field.value.trim()) return;
        present(summaryOf(found.length), found.slice(0, RESULTS_MAX), query);
      } catch {
        sections = undefined;
        present('The search could not be loaded.', [], query);
      }
    };
    field.addEventListener('input', search);
    field.addEventListener('click', search);
    list.addEventListener('click', close);
    box.addEventListener('keydown', (event) => moveWithKeys(event, { field, panel, close }));
    box.addEventListener('focusout', ({ relatedTarget }) => {
      if (!box.contains(relatedTarget)) close();
    });
  }

  function summaryOf(count) {
    if (count === 0) return 'Nothing found.';
    if (count > RESULTS_MAX) return `The best ${RESULTS_MAX} of ${count} results`;
    return count === 1 ? '1 result' : `${count} results`;
  }

  function resultOf(root, [page, path, id, heading, text], query) {
    const name = heading === page ? page : `${page} › ${heading}`;
    const href = root + path + (id === '' ? '' : `#${id}`);
    const words = element('span', {}, ...excerpt(text, query));
    return element('li', {}, element('a', { href }, element('b', {}, ...breakable(name)), ' ', words));
  }

  function moveWithKeys(event, { field, panel, close }) {
    const { key, target } = event;
    const links = panel.hidden ? [] : [...panel.querySelectorAll('a')];
    const at = links.indexOf(target);
    const next = { ArrowDown: links[at + 1], ArrowUp: at > 0 ? links[at - 1] : field }[key];
    if (key === 'Escape' && !panel.hidden) {
      field.focus();
      close();
    } else if (key === 'Enter' && target === field) {
      links[0]?.click();
    } else if (next !== undefined) {
      next.focus();
    } else return;
    event.preventDefault();
  }

  document.body.append(status);
  startCopying();
  startChoices();
  document.querySelectorAll('.search').forEach(startSearch);
})();
