import { isolateAuto } from '../../i18n/format.ts';
import { link, type Html } from '../../telegram/html.ts';

/** Names somebody so that Telegram tells them of a new message; of an edited one it tells nobody. */
export function mention({ id, name }: { readonly id: number; readonly name: string }): Html {
  return link(isolateAuto(name === '' ? String(id) : name), `tg://user?id=${id}`);
}
