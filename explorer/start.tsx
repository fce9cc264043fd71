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
  // Pages from other origins cannot embed this page, and no page of the same origin needs to.
  if (isElsewhere || window.top !== window) {
    page.append('Open this page in a separate window, on the machine where the server runs.');
  } else {
    const connection = new Connection(findEndpoint(), login);
    // Runs before the first rendering, because a completed login restores the panel that was open.
    void connection.begin();
    render(<App connection={connection} facts={facts} />, page);
  }
}
