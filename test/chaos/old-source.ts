import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The parts of Peyk that run, as a commit has them; with the packages of today. */
export function takeSource(root: string, commit: string): { readonly source: string; remove(): void } {
  const git = (...args: string[]): Buffer =>
    execFileSync('git', args, { cwd: root, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
  const name = git('rev-parse', '--verify', `${commit}^{commit}`).toString().trim();
  const source = mkdtempSync(join(tmpdir(), 'peyk-old-'));
  const remove = (): void => rmSync(source, { recursive: true, force: true });
  try {
    const archive = join(source, 'source.tar');
    writeFileSync(archive, git('archive', '--format=tar', name, 'src', 'drizzle', 'package.json'));
    execFileSync('tar', ['-xf', archive, '-C', source]);
    rmSync(archive);
    symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
    return { source, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
