;; One row of the Mandelbrot set. For each of $count points, $step apart from $left on at height $y,
;; how many rounds of z = z² + c, from z = 0, stay within a distance of 2; at most $limit, which is at
;; most 65,535. The counts are written to the memory, two bytes each, from its beginning on.
(module
  (memory (export "memory") 1)
  (func (export "row")
    (param $left f64) (param $y f64) (param $step f64) (param $count i32) (param $limit i32)
    (local $index i32)
    (loop $point
      (i32.store16
        (i32.shl (local.get $index) (i32.const 1))
        (call $escape
          (f64.add
            (local.get $left)
            (f64.mul (f64.convert_i32_u (local.get $index)) (local.get $step)))
          (local.get $y)
          (local.get $limit)))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br_if $point (i32.lt_u (local.get $index) (local.get $count)))))

  (func $escape (param $cx f64) (param $cy f64) (param $limit i32) (result i32)
    (local $x f64) (local $y f64) (local $xx f64) (local $yy f64) (local $rounds i32)
    (block $done
      (loop $round
        (br_if $done (i32.ge_u (local.get $rounds) (local.get $limit)))
        (local.set $xx (f64.mul (local.get $x) (local.get $x)))
        (local.set $yy (f64.mul (local.get $y) (local.get $y)))
        (br_if $done (f64.gt (f64.add (local.get $xx) (local.get $yy)) (f64.const 4)))
        (local.set $y
          (f64.add
            (f64.mul (f64.mul (f64.const 2) (local.get $x)) (local.get $y))
            (local.get $cy)))
        (local.set $x
          (f64.add (f64.sub (local.get $xx) (local.get $yy)) (local.get $cx)))
        (local.set $rounds (i32.add (local.get $rounds) (i32.const 1)))
        (br $round)))
    (local.get $rounds)))
