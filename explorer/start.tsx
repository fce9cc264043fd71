import './zod-without-code.js';
import { render } from 'preact';
import { App } from './app.js';
import { Connection } from './connection/connection.js';
import { Login } from './connection/login.js';
import { findEndpoint, isOnThisMachine, readFacts } from './facts.js';

const facts = readFacts();
const page = document.getElementById('page');

if (page !== null) {
  page.textContent = '';
  const login = new Login(findEndpoint());
  const isElsewhere = facts.isOfThisMachine && !isOnThisMachine();
  // Somebody else's page could not show this one; a frame of the same origin has no need to.
  if (isElsewhere || window.top !== window) {
    page.append('Open this page in a window of its own, on the machine that the server runs on.');
  } else {
    const connection = new Connection(findEndpoint(), login);
    // Before anything is shown: a login that comes back leads to what was open.
    void connection.begin();
    render(<App connection={connection} facts={facts} />, page);
  }
}
