import { isolateAuto } from '../../i18n/format.ts';
import { link, type Html } from '../../telegram/html.ts';

export interface Mentioned {
  readonly id: number;
  readonly name: string;
}

/** Names somebody so that Telegram tells them of a new message; of an edited one it tells nobody. */
export function mention({ id, name }: Mentioned): Html {
  return link(isolateAuto(name === '' ? String(id) : name), `tg://user?id=${id}`);
}
