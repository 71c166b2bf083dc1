import type { ButtonHTMLAttributes } from 'react';
import './parts.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'normal' | 'primary' | 'quiet' | 'danger';
  /** It shows an icon alone: `aria-label` says what it does. */
  readonly iconOnly?: boolean;
}

export const Button = ({ kind = 'normal', iconOnly, type = 'button', className, ...rest }: ButtonProps) => (
  <button
    type={type}
    className={className ? `button ${className}` : 'button'}
    data-kind={kind}
    data-icon-only={iconOnly || undefined}
    {...(iconOnly && { title: rest['aria-label'] })}
    {...rest}
  />
);
