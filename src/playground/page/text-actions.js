// @ts-check
// What a tap on a part of a text does, wherever the text stands.
import { copy } from '../../pages/common/clipboard.js';
import { openLink } from './links.js';
import { emit } from './store.js';

/** @type {import('./entities.js').Actions} */
export const textActions = {
  onLink: openLink,
  onCommand: (command) => emit('say', command),
  onCopy: copy,
  onSearch: (wanted) => emit('search', wanted),
};
