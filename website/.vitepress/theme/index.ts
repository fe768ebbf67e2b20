// VitePress's own theme, with the fonts that the reader's system has: nothing is fetched from elsewhere.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default DefaultTheme;
