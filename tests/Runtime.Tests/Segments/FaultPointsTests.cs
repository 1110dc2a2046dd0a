using System.Reflection;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Segments;

public sealed class FaultPointsTests
{
    /// <summary>The calls are gone too: the compiler drops them together with the symbol.</summary>
    [Fact]
    public void The_shipped_runtime_has_no_fault_that_can_be_ordered() =>
        Assert.DoesNotContain(
            typeof(FaultPoints).GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly),
            method => method.Name.StartsWith("On", StringComparison.Ordinal) || method.GetMethodBody()!.GetILAsByteArray()!.Length > 2);
}
