/** Says in `package.json` where the source of the package is: `npm run repository -- https://github.com/example/desk`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { buildAddresses } from './addresses.js';

const [url = ''] = process.argv.slice(2);

if (!/^https:\/\/[^\s/?#]+(?:\/[\w.-]+){2,}$/.test(url) || url.endsWith('.git')) {
  console.error('A URL was expected as a browser has it, such as https://github.com/example/desk');
  process.exitCode = 2;
} else {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('package.json', `${JSON.stringify({ ...manifest, ...buildAddresses(url) }, null, 2)}\n`);
}
