namespace BufferedMessages.Samples.Tests.Ports;

// <class>
[BufferedMessageSource]
public partial class TestClass
{
    public int IntValue { get; set; }
    public long LongValue { get; set; }
    public double DoubleValue { get; set; }
    public string StringValue { get; set; } = "";
}
// </class>
