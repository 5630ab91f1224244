/** The other page of this machine, which a page leads to. */
export type Neighbour = {
  readonly url: string;
  /** The icon of the link, and the name of the tab that it opens and uses again. */
  readonly icon: 'chat' | 'phone';
  /** What it is called, by language. */
  readonly name: { readonly en: string; readonly fa: string };
};
