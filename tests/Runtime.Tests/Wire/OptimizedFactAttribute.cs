using System.Diagnostics;
using System.Reflection;

namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>A test that only holds for an optimized runtime: code that is not optimized boxes a struct to compare it with null.</summary>
internal sealed class OptimizedFactAttribute : FactAttribute
{
    public OptimizedFactAttribute()
    {
        if (typeof(BufferedMessage).Assembly.GetCustomAttribute<DebuggableAttribute>() is { IsJITOptimizerDisabled: true })
        {
            Skip = "The runtime is not optimized: run the tests with -c Release.";
        }
    }
}
