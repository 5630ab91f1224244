import type { Update } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { createPressRepeats } from './repeats.ts';

function repeatsAt() {
  let now = 0;
  const repeats = createPressRepeats({ monotonic: () => now });
  const press = (id: number, data = 'a', from = 1): Update => {
    const chat = { id: 7, type: 'private', first_name: 'Sara' } as const;
    return {
      update_id: id,
      callback_query: {
        id: String(id),
        chat_instance: 'x',
        from: { id: from, is_bot: false, first_name: 'Sara' },
        message: { chat, message_id: 9, date: 0 },
        data,
      },
    };
  };
  return { repeats, press, passes: (ms: number) => void (now += ms) };
}

test('a press is a repeat while an equal one is in hand, and none afterwards', () => {
  const { repeats, press } = repeatsAt();
  for (const id of [1, 2]) repeats.arrived(press(id));
  expect([1, 2].map((id) => repeats.isRepeat(id))).toEqual([false, true]);
  repeats.ended(press(1));
  expect(repeats.isRepeat(2)).toBe(true);
  repeats.ended(press(2));
  repeats.arrived(press(3));
  expect(repeats.isRepeat(3)).toBe(false);
});

test('another button, another person, and the same update once more are none', () => {
  const { repeats, press } = repeatsAt();
  for (const each of [press(1), press(2, 'b'), press(3, 'a', 2), press(1)]) repeats.arrived(each);
  expect([1, 2, 3].map((id) => repeats.isRepeat(id))).toEqual([false, false, false]);
});

test.each([
  null,
  7,
  { message: null },
  { message: {}, from: {}, data: 'a' },
  { message: { chat: 3 }, from: null, data: 'a' },
])('what Telegram does not write is no press: %j', (callback_query) => {
  const { repeats } = repeatsAt();
  const update: Update = JSON.parse(JSON.stringify({ update_id: 1, callback_query }));
  for (const turn of [repeats.arrived, repeats.ended]) expect(() => turn(update)).not.toThrow();
});

test('one that never ends here holds its button for a minute', () => {
  const { repeats, press, passes } = repeatsAt();
  repeats.arrived(press(1));
  passes(60_001);
  repeats.arrived(press(2));
  expect(repeats.isRepeat(2)).toBe(false);
});
