/** Licenses that ask for no more than to be named. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
]);

/** Reads the license of a package from its `package.json`, also as older packages write it: an expression of SPDX, or an empty text. */
export function readLicense({ license, licenses = [] }) {
  const older = licenses.map((one) => one.type ?? one).join(' OR ');
  return license?.type ?? license ?? older;
}

/** @param {string} license an expression of SPDX */
export function isAllowed(license) {
  const text = license.trim().replace(/^\(([^()]*)\)$/, '$1');
  if (/ OR /.test(text)) return text.split(' OR ').some(isAllowed);
  return text.split(' AND ').every((one) => ALLOWED.has(one.trim()));
}

/** Says what is wrong with a package whose license is not allowed. */
export function describeFault({ name, version, license }) {
  return `"${name}" ${version} is under "${license}", which nobody has allowed: see tools/release/licenses.js`;
}
