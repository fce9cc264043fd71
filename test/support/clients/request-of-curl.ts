/** Finds the first curl command of a text and gives the request that it would send. */
export function requestOfCurl(text: string): Request {
  const command = /curl -s (\S+)((?: |\\\n)+-\w '[^']*')+/.exec(text);
  if (command === null) throw new Error('The text has no curl command');
  const [line, url = ''] = command;
  const headers = [...line.matchAll(/-H '([^:']+): ([^']*)'/g)];
  const body = /-d '([^']*)'/.exec(line)?.[1] ?? '';
  return new Request(url, {
    method: 'POST',
    headers: headers.map(([, name = '', value = '']) => [name, value]),
    body,
  });
}
