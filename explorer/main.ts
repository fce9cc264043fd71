/** Paints the static page first, because the rest runs for up to a second on a slow machine. */
function start(): void {
  void import('./start.js');
}

// A page in the background is not painted.
if (document.visibilityState === 'hidden') start();
else requestAnimationFrame(() => setTimeout(start));
