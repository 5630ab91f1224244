import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Of util-linux. */
const [UNSHARE, MOUNT, UMOUNT, FALLOCATE] = ['unshare', 'mount', 'umount', 'fallocate'] as const;
const TRIES = 20;

/** Runs a command where it may mount: as root, or as an ordinary user where the system lets one have a user namespace. */
export const MOUNTING = [UNSHARE, process.getuid?.() === 0 ? '-m' : '-Urm'] as const;

/** A disk in memory, in the mount namespace of this process. */
export interface Disk {
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  unmount(): void;
}

/** Mounts a disk of so many megabytes on a folder. Throws where this process may not. */
export function mountSmallDisk(folder: string, megabytes: number): Disk {
  execFileSync(MOUNT, ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'small-disk', folder], { stdio: 'pipe' });
  const ballast = join(folder, 'ballast');
  const free = (): void => rmSync(ballast, { force: true });
  return {
    fill() {
      for (let tries = 1; ; tries += 1) {
        const { bavail, bsize } = statfsSync(folder);
        try {
          execFileSync(FALLOCATE, ['-l', String(bavail * bsize), ballast], { stdio: 'pipe' });
          return;
        } catch (error) {
          // Somebody else has taken some of it since.
          if (tries === TRIES) throw error;
        }
      }
    },
    free,
    unmount() {
      free();
      execFileSync(UMOUNT, ['-l', folder], { stdio: 'pipe' });
    },
  };
}
