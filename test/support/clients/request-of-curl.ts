const COMMAND = /curl -s (\S+)((?: |\\\n)+-\w (?:'[^']*'|"[^"]*"|[^\s'"]+))+/;
const HEADER = /-H (['"])([^:'"]+): (.*?)\1/g;

/** Finds the first curl command of a text and gives the request that it would send from a shell with these variables. */
export function requestOfCurl(text: string, variables: Readonly<Record<string, string>> = {}): Request {
  const command = COMMAND.exec(text);
  if (command === null) throw new Error('The text has no curl command');
  const [line, url = ''] = command;
  const headers = [...line.matchAll(HEADER)];
  const body = /-d '([^']*)'/.exec(line)?.[1] ?? '';
  return new Request(url, {
    method: 'POST',
    headers: headers.map(([, quote, name = '', value = '']) => [
      name,
      quote === '"' ? expand(value, variables) : value,
    ]),
    body,
  });
}

function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '');
}
