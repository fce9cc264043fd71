import type { Target } from './target.js';

/** Adds to a remedy what to do if clients use another URL than the one that is asked. */
export function addPublicUrl(remedy: string, { options }: Target): string {
  const { publicUrl } = options.advice;
  return publicUrl === undefined ? remedy : `${remedy}. ${publicUrl}`;
}
