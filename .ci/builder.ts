import type { Start } from './running.ts';

/** What carries out the steps of the Dockerfile. */
export interface Builder {
  /** Makes the image of a target. Throws where a step fails. */
  make(target: string): Promise<Made>;
  /** Removes all that it has made. */
  end(): void;
}

/** An image, as it is used from outside. */
export interface Made {
  /** The folder that stands for the root of its file system. */
  readonly root: string;
  /** Whether a file, by its path from the root, came with the base image. */
  isOfBase(path: string): boolean;
  /** Starts its command as its user. */
  readonly start: Start;
  /** Where it is asked as through a published port: not an address on which it only listens for itself. */
  readonly address: string;
  /** Runs a command beside its own, and gives what that printed. Throws when it does not end with 0. */
  run(command: readonly string[]): string;
}

/** Nobody is there to undo anything while an image is tried. */
export const TRIED_WITH = { UNDO_SECONDS: '0' };
