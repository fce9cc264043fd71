import DefaultTheme from 'vitepress/theme-without-fonts';
import { followRedirect } from './follow-redirect.js';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    router.onAfterRouteChange = () => followRedirect(router);
  },
};
