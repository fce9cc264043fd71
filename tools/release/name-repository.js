/** Says in the packages where their source is: `npm run repository -- https://github.com/example/desk`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { buildAddresses, MANIFESTS } from './addresses.js';

const [url = ''] = process.argv.slice(2);

if (!/^https:\/\/[^\s/?#]+(?:\/[\w.-]+){2,}$/.test(url) || url.endsWith('.git')) {
  console.error('A URL was expected as a browser has it, such as https://github.com/example/desk');
  process.exitCode = 2;
} else {
  for (const { file, directory } of MANIFESTS) {
    const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), ...buildAddresses(url, directory) };
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }
}
