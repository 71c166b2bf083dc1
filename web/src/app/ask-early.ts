import { askEarly } from './first-questions.ts';

// A module of its own, named before all others: it runs before they do.
askEarly(location.pathname);
