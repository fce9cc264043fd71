import { listDependencies, listPagePackages } from './shipped-packages.js';

/**
 * Lists where a lock file has what users of the package get: what is installed with it, and what is in its page.
 *
 * @param {{ packages: Record<string, object> }} lock
 * @returns {Set<string>} keys of `packages`, such as `node_modules/zod`
 */
export function listShippedPlaces({ packages }) {
  const shipped = new Set(Object.keys(packages).filter((place) => place !== '' && !packages[place].dev));
  const collect = (name, from) => {
    const place = find(packages, name, from);
    if (place === undefined || shipped.has(place)) return;
    shipped.add(place);
    for (const [dependency] of listDependencies(packages[place])) collect(dependency, place);
  };
  for (const name of listPagePackages(packages[''])) collect(name, '');
  return shipped;
}

/** Looks where Node looks. */
function find(packages, name, from) {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const candidate = `${place}${place === '' ? '' : '/'}node_modules/${name}`;
    if (candidate in packages) return candidate;
    if (place === '') return undefined;
  }
}
