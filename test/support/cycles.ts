import { dirname, join } from 'node:path';
import { readReach } from './imports.ts';

/** Finds the groups of files that reach one another by their imports, of types too (Tarjan). */
export function cyclesOf(files: readonly { readonly path: string; readonly text: string }[]): string[][] {
  const paths = new Set(files.map(({ path }) => path));
  const reach = new Map(
    files.map(({ path, text }) => [
      path,
      readReach(path, text)
        .imports.map((name) => (name === null ? '' : join(dirname(path), name)))
        .filter((to) => paths.has(to)),
    ]),
  );
  const seen = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (path: string): number => {
    const index = seen.size;
    seen.set(path, index);
    stack.push(path);
    let lowest = index;
    for (const to of reach.get(path) ?? []) {
      if (!seen.has(to)) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, seen.get(to) ?? index);
    }
    if (lowest !== index) return lowest;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1) groups.push(group);
    return lowest;
  };
  for (const path of paths) if (!seen.has(path)) visit(path);
  return groups;
}
