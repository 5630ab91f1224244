// @ts-check
// A request as it came and what it got, from the journal.
import { h } from '../../pages/common/dom.js';
import { figure } from '../../pages/common/format.js';
import { t } from '../../pages/common/i18n.js';

/** @typedef {{ text: string, bytes: number }} Body */

/** @param {any} exchange */
export function exchangeView({ request, answer, outcome, fault, refused, warnings, tookMs }) {
  const said = [
    refused && `${t('refused')}: ${refused}`,
    fault && `${t('fault')}: ${fault}`,
    outcome !== 'answered' && `${t('outcome')}: ${outcome}`,
    ...warnings,
  ].filter(Boolean);
  return h(
    'div',
    { class: 'exchange' },
    said.map((line) => h('p', { class: 'why', dir: 'auto' }, line)),
    h('h4', null, t('request')),
    block([`${request.method} ${request.url}`, ...headers(request.headers), '', bodyText(request.body)]),
    h('h4', null, `${t('reply')} · ${t('took', { n: figure(Math.round(tookMs)) })}`),
    answer
      ? block([`HTTP ${answer.httpStatus}`, ...headers(answer.headers), '', bodyText(answer.body)])
      : h('p', { class: 'muted' }, t('none')),
  );
}

/** @param {string[]} lines */
function block(lines) {
  return h('pre', { dir: 'ltr', tabindex: '0' }, lines.join('\n').trimEnd());
}

/** @param {Record<string, string>} all */
function headers(all) {
  return Object.entries(all).map(([name, value]) => `${name}: ${value}`);
}

/** As far as it was kept. @param {Body} body */
function bodyText({ text, bytes }) {
  const isWhole = new TextEncoder().encode(text).length === bytes;
  return isWhole ? text : `${text}…`;
}
