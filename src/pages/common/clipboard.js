// @ts-check
// Copies texts, in pages without the browser's clipboard too.
import { h } from './dom.js';
import { t } from './i18n.js';
import { toast } from './notices.js';

/** Copies a text and says so. @param {string} text */
export function copy(text) {
  const done = () => toast(t('copied'));
  const byHand = () => {
    const area = h('textarea', { class: 'offscreen', readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
  else byHand();
}
