import { useSyncExternalStore } from 'react';
import { type Look, look, watchLook } from './look.ts';

export const useLook = (): Look => useSyncExternalStore(watchLook, look);
