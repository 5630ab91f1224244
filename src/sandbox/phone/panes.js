// @ts-check
// The other half of the page: one message, one phone, or what steers the gateway.
import { byId, fill, h } from '../../pages/common/dom.js';
import { t } from '../../pages/common/i18n.js';
import { iconButton } from '../../pages/common/icons.js';
import { createMessagePane } from './message-pane.js';
import { createRefusedPane } from './refused-pane.js';
import { createPhonePane } from './phone-pane.js';
import { createSteerPane } from './steer-pane.js';
import { go, place } from './store.js';

/** @typedef {{ title: string, body: HTMLElement, foot?: HTMLElement, refresh: () => Promise<void> | void }} Pane */

/** @returns {{ draw: () => Promise<void>, forget: () => void }} */
export function createPanes() {
  const root = byId('pane');
  const heading = h('header', { class: 'head' });
  const foot = h('footer', { class: 'foot' });
  /** @type {Pane | undefined} */
  let pane;
  let shown = '';

  const draw = async () => {
    const here = place();
    const key = JSON.stringify(here);
    if (key !== shown) {
      shown = key;
      pane = paneFor(here);
      document.body.dataset.pane = pane ? 'pane' : 'list';
      const body = pane?.body ?? h('p', { class: 'empty muted' }, t('pick'));
      const current = pane;
      fill(foot);
      heading.hidden = !pane;
      const back = iconButton('back', t('back'), () => go({}));
      back.dataset.testid = 'back';
      fill(heading, back, h('h2', { class: 'grow' }, pane?.title ?? ''));
      fill(root, heading, h('div', { class: 'scroller', tabindex: '0' }, body), foot);
      await current?.refresh();
      // Another place may have been asked for meanwhile.
      if (current !== pane) return;
    } else await pane?.refresh();
    // Not for the same one: somebody may be writing in it.
    if (foot.firstElementChild !== (pane?.foot ?? null)) fill(foot, pane?.foot);
  };
  return {
    draw,
    /** The next drawing begins anew, in the language of then. */
    forget: () => {
      shown = '';
    },
  };
}

/** @param {ReturnType<typeof place>} here @returns {Pane | undefined} */
function paneFor(here) {
  if (here.message) return createMessagePane(here.message);
  if (here.refused) return createRefusedPane(here.refused);
  if (here.phone) return createPhonePane({ phone: here.phone, account: here.account, line: here.line });
  return here.steer ? createSteerPane() : undefined;
}
