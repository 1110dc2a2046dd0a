using System.Reflection;
using System.Runtime.CompilerServices;

namespace Toolkit.Benchmarks.Turns;

/// <summary>An operation that is repeated in a loop.</summary>
public abstract class RepeatedOperation
{
    /// <summary>Repeats the operation.</summary>
    public abstract void Repeat(long count);

    /// <summary>Makes an operation of a function.</summary>
    public static RepeatedOperation Of<T>(Func<T> function) => new Function<T>(function);

    /// <summary>Makes an operation of a method that returns a value and has no parameters.</summary>
    public static RepeatedOperation Of(object target, MethodInfo method) =>
        method.ReturnType == typeof(int) ? Of(method.CreateDelegate<Func<int>>(target))
        : method.ReturnType == typeof(long) ? Of(method.CreateDelegate<Func<long>>(target))
        : Of(method.CreateDelegate<Func<bool>>(target));

    private sealed class Function<T>(Func<T> function) : RepeatedOperation
    {
        // Kept, so that the compiler cannot leave the calls out.
        private T? _last;

        // Compiled without a profile: it would show the function that is called most, which would then be inlined, as the only one.
        [MethodImpl(MethodImplOptions.AggressiveOptimization)]
        public override void Repeat(long count)
        {
            for (var i = 0L; i < count; i++)
            {
                _last = function();
            }
        }
    }
}
