import type { Control } from './control.ts';

/**
 * The people and chats that the playground starts with. Their ids are the same at every start, so that a bot which
 * remembers them finds them again; all other ids lie elsewhere.
 */
export function seedWorld(control: Control): void {
  const sara = control.user({
    id: 500_000_001,
    first_name: 'Sara',
    last_name: 'Ahmadi',
    username: 'sara_nik',
    language_code: 'en',
  });
  const reza = control.user({
    id: 500_000_002,
    first_name: 'رضا',
    username: 'reza_nik',
    language_code: 'fa',
  });
  const nima = control.user({
    id: 500_000_003,
    first_name: 'Nima',
    username: 'nima_nik',
    language_code: 'en',
  });
  const members = [reza.id, nima.id];
  const ops = control.chat({
    id: -4_000_001,
    type: 'group',
    title: 'Nik Shop – Ops',
    creator_id: sara.id,
    members,
    bot: 'member',
  });
  const support = control.chat({
    id: -1_002_000_000_001,
    type: 'forum',
    title: 'Nik Shop – Support',
    creator_id: sara.id,
    members,
    bot: 'administrator',
  });
  control.chat({
    id: -1_002_000_000_002,
    type: 'channel',
    title: 'Nik Shop – Alerts',
    creator_id: sara.id,
    members,
    bot: 'administrator',
  });
  control.member({ chat_id: ops.id, user_id: reza.id, status: 'administrator', actor_id: sara.id });
  control.topic({ chat_id: support.id, name: 'Orders' });
  control.topic({ chat_id: support.id, name: 'پشتیبانی' });
}
