/** What is in the page is painted first: the rest takes a slow machine a second to run. */
function start(): void {
  void import('./start.js');
}

// A page in the background is not painted.
if (document.visibilityState === 'hidden') start();
else requestAnimationFrame(() => setTimeout(start));
