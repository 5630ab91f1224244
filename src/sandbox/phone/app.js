// @ts-check
// The page of the sandbox gateway: what was sent and received, as it comes, and the phones that it went to.
//
// Hooks for tests (data-testid), kept stable:
//   messages, message      the list and a message (or a refused request) in it       search, filter-kind, filter-state, filter-account
//   new-text               opens the form for a text          steer            opens what steers the gateway
//   recipients, open-phone, set-state, exchange  in a message; refused-request  what was refused, with its exchange
//    talk             a phone: arrived, written
//   answer, send           where a phone writes               back             to the list
//   part-<name>            a part of what steers              advance-<name>, faults, credit-<account>, switch-<name>, clock
//   other-language, theme, beside (the page beside this one), toast, banner
//
// <body data-live="yes"> says that the page hears of changes; data-pane is "list" or "pane".
// The address holds the place: #message=<id>, #refused=<number of the exchange>, #phone=<number>&account=…&line=…, or #steer=yes.
import { byId } from '../../pages/common/dom.js';
import { follow } from '../../pages/common/http.js';
import { learn, setLanguage, t } from '../../pages/common/i18n.js';
import { attempt, toastError } from '../../pages/common/notices.js';
import { wearTheme } from '../../pages/common/theme.js';
import { createList } from './list.js';
import { createPanes } from './panes.js';
import { go, listening, load } from './store.js';
import { TEXTS } from './texts.js';

const LANGUAGE_KEY = 'language';

function main() {
  learn(TEXTS);
  wearTheme();
  window.name = 'phone';
  speak(
    new URLSearchParams(location.search).get('lang') ??
      localStorage.getItem(LANGUAGE_KEY) ??
      navigator.language,
  );
  const panes = createPanes();
  const list = createList({
    onOtherLanguage: () => {
      speak(document.documentElement.lang === 'fa' ? 'en' : 'fa');
      panes.forget();
      list.drawFrame();
      list.draw();
      attempt(panes.draw);
    },
    onMore: () => listen(),
  });
  window.addEventListener('hashchange', () => {
    list.draw();
    attempt(panes.draw);
    listen();
  });
  document.addEventListener('keydown', hearKey);
  window.addEventListener('changed', () => attempt(() => refresh()));

  let isLoading = false;
  let isStale = false;
  let isFramed = false;
  // Changes that come while the last one is being fetched cost one fetch.
  const refresh = async () => {
    isStale = true;
    if (isLoading) return;
    isLoading = true;
    try {
      while (isStale) {
        isStale = false;
        await load();
        if (!isFramed) list.drawFrame();
        isFramed = true;
        list.draw();
        await panes.draw();
      }
    } finally {
      isLoading = false;
    }
  };
  const banner = byId('banner');
  banner.dataset.testid = 'banner';
  let address = '';
  let end = () => {};
  // Whoever shows another message, or a longer list, listens for that.
  const listen = () => {
    if (address === listening()) return;
    address = listening();
    end();
    end = follow({
      address,
      onEvent: () => attempt(refresh),
      onOpen: () => {
        banner.hidden = true;
        refresh().then(() => {
          document.body.dataset.live = 'yes';
        }, toastError);
      },
      onLost: () => {
        banner.textContent = t('disconnected');
        banner.hidden = false;
        document.body.dataset.live = 'no';
      },
    });
  };
  listen();
}

/** @param {string} language */
function speak(language) {
  setLanguage(language);
  localStorage.setItem(LANGUAGE_KEY, document.documentElement.lang);
  document.title = t('sandbox');
}

/** A slash leads to the search, Escape back to the list. @param {KeyboardEvent} event */
function hearKey(event) {
  const field = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
  if (event.key === '/' && !field) {
    event.preventDefault();
    /** @type {HTMLElement | null} */ (document.querySelector('[data-testid=search]'))?.focus();
  }
  if (
    event.key === 'Escape' &&
    !(event.target instanceof Element && event.target.closest('dialog, select'))
  ) {
    go({});
    /** @type {HTMLElement | null} */ (
      document.querySelector('.rows button[aria-current=true], .rows button')
    )?.focus();
  }
}

main();
