;; How many rounds of z = z² + c, from z = 0, stay within a distance of 2; at most $limit.
(module
  (func (export "escape") (param $cx f64) (param $cy f64) (param $limit i32) (result i32)
    (local $x f64) (local $y f64) (local $next f64) (local $rounds i32)
    (block $done
      (loop $round
        (br_if $done (i32.ge_u (local.get $rounds) (local.get $limit)))
        (br_if $done
          (f64.gt
            (f64.add
              (f64.mul (local.get $x) (local.get $x))
              (f64.mul (local.get $y) (local.get $y)))
            (f64.const 4)))
        (local.set $next
          (f64.add
            (f64.sub
              (f64.mul (local.get $x) (local.get $x))
              (f64.mul (local.get $y) (local.get $y)))
            (local.get $cx)))
        (local.set $y
          (f64.add
            (f64.mul (f64.mul (f64.const 2) (local.get $x)) (local.get $y))
            (local.get $cy)))
        (local.set $x (local.get $next))
        (local.set $rounds (i32.add (local.get $rounds) (i32.const 1)))
        (br $round)))
    (local.get $rounds)))
